"""The menu: what each technique changes, needs, costs and predicts."""
