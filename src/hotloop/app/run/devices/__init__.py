"""Work with several devices: distribution of measurements, and confirmation of winners on a second device."""
