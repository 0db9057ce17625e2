"""The page's style sheet: system fonts, two colour schemes, one column on phones, and paper.

The marks' colours follow Okabe and Ito's palette, which readers with any colour vision can tell apart; contrast of text
is at least 4.5 : 1 in both schemes, and shape or wording always says the same as colour.
"""

from __future__ import annotations

_SCHEMES = """
:root {
  color-scheme: light dark;
  --page: #f7f7f5; --surface: #ffffff; --sunk: #f1f2f0; --ink: #1b1f24; --soft: #565f69; --line: #dfe2e0; --grid: #eceeec;
  --kept: #0068a3; --rejected: #b04a00; --peer: #93397a; --good: #00694e; --bad: #a83a00; --floor: #565f69;
  --shadow: 0 1px 2px rgb(0 0 0 / 5%);
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #101316; --surface: #171b1f; --sunk: #1e2327; --ink: #e7eaec; --soft: #a3adb6; --line: #2c3238; --grid: #242a2f;
    --kept: #56b4e9; --rejected: #e69f00; --peer: #e196c4; --good: #3fc79a; --bad: #f0a060; --floor: #a3adb6;
    --shadow: none;
  }
}
"""

_TYPE = """
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-behavior: smooth; }
body {
  margin: 0; background: var(--page); color: var(--ink); overflow-wrap: anywhere;
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif;
  font-variant-numeric: tabular-nums;
}
code, pre { font: 0.875em/1.5 ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
main, header, footer { max-width: 1080px; margin: 0 auto; padding: 0 20px; }
header { padding-top: 44px; }
footer { padding-top: 12px; padding-bottom: 44px; color: var(--soft); font-size: 0.875rem; }
h1 { margin: 0 0 4px; font-size: clamp(1.6rem, 1.2rem + 1.6vw, 2.25rem); line-height: 1.2; letter-spacing: -0.02em; }
h2 { margin: 0 0 12px; font-size: 1.2rem; line-height: 1.3; letter-spacing: -0.01em; }
h3 { margin: 0; font-size: 1rem; }
p { margin: 0 0 12px; max-width: 74ch; }
a { color: var(--kept); text-underline-offset: 3px; }
:focus-visible { outline: 2px solid var(--kept); outline-offset: 2px; border-radius: 3px; }
.kicker { margin: 0 0 6px; color: var(--soft); font-size: 0.875rem; }
.lead { margin: 0 0 4px; font-size: 1.15rem; }
.soft { color: var(--soft); }
.small { font-size: 0.875rem; }
nav ul { display: flex; flex-wrap: wrap; gap: 2px 18px; margin: 18px 0 0; padding: 0; list-style: none; font-size: 0.9rem; }
nav a { display: inline-block; padding: 4px 0; text-decoration: none; }
nav a:hover { text-decoration: underline; }
"""

_BLOCKS = """
section { margin: 20px 0; padding: 22px 24px; background: var(--surface); border: 1px solid var(--line);
  border-radius: 12px; box-shadow: var(--shadow); scroll-margin-top: 12px; }
.tiles { display: grid; grid-template-columns: repeat(4, 1fr); gap: 12px; margin: 22px 0 0; padding: 0; }
.tiles.of-1 { grid-template-columns: 1fr; } .tiles.of-2 { grid-template-columns: repeat(2, 1fr); }
.tiles.of-3 { grid-template-columns: repeat(3, 1fr); } .tiles.of-5 { grid-template-columns: repeat(5, 1fr); }
.tile { display: flex; flex-direction: column; padding: 14px 18px 16px; background: var(--surface); border: 1px solid var(--line); border-radius: 12px;
  box-shadow: var(--shadow); }
.tile dt { color: var(--soft); font-size: 0.85rem; }
.tile dd { margin: 0; }
.tile .big { order: -1; font-size: 1.75rem; font-weight: 650; line-height: 1.25; letter-spacing: -0.02em; }
.tile .sub { color: var(--soft); font-size: 0.85rem; }
.meter { height: 6px; margin-top: 8px; background: var(--sunk); border-radius: 3px; overflow: hidden; }
.meter svg { display: block; width: 100%; height: 6px; }
.meter rect { fill: var(--kept); }
pre { margin: 0; padding: 12px 14px; background: var(--sunk); border-radius: 8px; overflow-x: auto; overflow-wrap: normal; }
details { border-top: 1px solid var(--line); }
details:last-of-type { border-bottom: 1px solid var(--line); }
summary { padding: 11px 2px; cursor: pointer; }
summary .soft { margin-left: 6px; }
details > .inside { padding: 2px 0 18px; }
.inside .scroll { margin-top: 14px; }
.finding { padding: 14px 0; border-top: 1px solid var(--line); }
.finding:first-of-type { border-top: 0; padding-top: 0; }
.finding p { margin: 4px 0 0; }
.tags { display: flex; flex-wrap: wrap; gap: 6px; margin: 8px 0 0; padding: 0; list-style: none; }
.tags li.soft { padding: 1px 2px 1px 0; background: none; }
.tags li { padding: 1px 8px; background: var(--sunk); border-radius: 6px; font-size: 0.85rem; }
.failure { margin: 0 0 14px; }
.failure pre { margin-top: 6px; max-height: 22em; overflow-y: auto; }
dl.pairs { display: grid; grid-template-columns: minmax(130px, max-content) 1fr; gap: 6px 22px; margin: 0; }
dl.pairs dt { color: var(--soft); }
dl.pairs dd { margin: 0; }
figure { margin: 0; }
figcaption { margin-top: 6px; color: var(--soft); font-size: 0.875rem; }
"""

_TABLES = """
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 0.9rem; }
caption { padding: 0 0 8px; text-align: left; color: var(--soft); font-size: 0.875rem; }
th, td { padding: 9px 12px 9px 0; vertical-align: top; text-align: left; border-top: 1px solid var(--line); }
th:last-child, td:last-child { padding-right: 0; }
thead th { border-top: 0; color: var(--soft); font-weight: 500; white-space: nowrap; }
tbody th { font-weight: 600; } .steps tbody th { min-width: 13.5rem; } .steps td:last-child { min-width: 11rem; }
td.number, th.number { text-align: right; white-space: nowrap; }
td.fixed { white-space: nowrap; }
td code { overflow-wrap: anywhere; }
tr.winner > * { background: color-mix(in srgb, var(--kept) 8%, transparent); }
tr.winner > :first-child { box-shadow: inset 3px 0 var(--kept); padding-left: 8px; }
tr.refuse td, tr.refuse th, tr.revert td, tr.revert th { color: var(--soft); }
.verdict { font-weight: 600; white-space: nowrap; }
.FASTER { color: var(--good); } .SLOWER { color: var(--bad); } .SAME, .UNCLEAR { color: inherit; }
.sub { display: block; color: var(--soft); font-size: 0.85rem; }
"""

_PLOTS = """
.plot { display: block; width: 100%; height: auto; overflow: visible; }
.plot.wide { max-width: 1000px; } .plot.narrow { display: none; }
.plot text { fill: var(--ink); font-size: 12px; }
.plot .tick, .plot .axis { fill: var(--soft); font-size: 11px; }
.plot .label, .plot .name, .plot .value, .plot .note, .plot .number { paint-order: stroke; stroke: var(--surface); stroke-width: 4px; stroke-linejoin: round; }
.plot .strong, .plot .name, .plot .label.winner { font-weight: 600; }
.plot .dim, .plot .number { fill: var(--soft); } .plot .name.dim { font-weight: 400; }
.plot .label.peer { fill: var(--peer); } .plot .label.floor { fill: var(--floor); }
.plot .label.winner, .plot .name.winner { fill: var(--kept); }
.plot .grid { stroke: var(--grid); }
.plot .level { stroke-width: 1.25; } .plot .level.floor { stroke: var(--floor); stroke-dasharray: 5 4; }
.plot .level.peer { stroke: var(--peer); stroke-dasharray: 2 3; }
.plot .ceiling { stroke: var(--soft); stroke-dasharray: 1 4; stroke-linecap: round; }
.plot path { fill: none; } .plot .roof { stroke: var(--ink); stroke-width: 2; stroke-linejoin: round; }
.plot .stairs { stroke: var(--kept); stroke-width: 2; stroke-linejoin: round; } .plot .leader { stroke: var(--soft); }
.plot .slope, .plot .gap { stroke-width: 1.75; } .plot .gap { stroke-width: 1.25; stroke-dasharray: 3 4; }
.plot .sheet { stroke-dasharray: 7 4; } line.roof { stroke: var(--ink); stroke-width: 2; }
.slope.lds, .gap.lds { stroke: var(--good); } .mark.lds > path { fill: var(--good); } .plot .label.lds { fill: var(--good); }
.slope.l1, .gap.l1 { stroke: var(--rejected); } .mark.l1 > rect { fill: var(--rejected); } .plot .label.l1 { fill: var(--rejected); }
.slope.l2, .gap.l2 { stroke: var(--peer); } .mark.l2 > path { fill: var(--peer); } .plot .label.l2 { fill: var(--peer); }
.slope.hbm, .gap.hbm { stroke: var(--kept); } .mark.hbm > circle { fill: var(--kept); } .plot .label.hbm { fill: var(--kept); }
.mark > * { stroke: var(--surface); stroke-width: 1.5; }
.mark.kept > *, .mark.winner > *, .mark.baseline > * { fill: var(--kept); }
.mark.winner > .ring { fill: var(--surface); stroke: var(--kept); stroke-width: 2; }
.mark.rejected > circle { fill: var(--surface); stroke: var(--rejected); stroke-width: 2; }
.mark.refused > path { stroke: var(--rejected); stroke-width: 2; }
.mark.peer > path { fill: var(--peer); }
.legend { display: flex; flex-wrap: wrap; gap: 4px 18px; margin: 10px 0 0; padding: 0; list-style: none; color: var(--soft);
  font-size: 0.85rem; }
.legend li { display: flex; align-items: center; gap: 6px; } .legend svg { width: 16px; height: 16px; flex: none; }
"""

_PHONE = """
@media (max-width: 960px) { .tiles.of-5, .tiles { grid-template-columns: repeat(3, 1fr); } }
@media (max-width: 719px) {
  main, header, footer { padding-left: 14px; padding-right: 14px; }
  header { padding-top: 26px; }
  section { padding: 18px 16px; margin: 14px 0; }
  .tiles.tiles { grid-template-columns: 1fr 1fr; gap: 10px; } .tile:first-child:nth-last-child(odd) { grid-column: 1 / -1; } .tile { padding: 12px 14px; } .tile .big { font-size: 1.4rem; }
  .plot.wide { display: none; } .plot.narrow { display: block; max-width: 460px; }
  dl.pairs { grid-template-columns: 1fr; gap: 0; } dl.pairs dd { margin-bottom: 10px; }
  table.cards, .cards tbody, .cards tr, .cards th, .cards td, .cards caption { display: block; }
  .cards thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .cards tr { padding: 12px 0; border-top: 1px solid var(--line); }
  .cards th, .cards td, .cards td.number { padding: 2px 0; border: 0; text-align: left; white-space: normal; }
  .cards td { display: grid; grid-template-columns: 92px 1fr; gap: 10px; }
  .cards td::before { content: attr(data-label); color: var(--soft); }
  .cards td.empty { display: none; } .cards td .sub { display: inline; margin-left: 6px; }
  .cards.facts td:not(.empty), .facts td > div { display: inline; } .cards.facts td::before { content: none; }
  .cards.facts td + td::before { content: " · "; }
  .steps tbody th, .steps td:last-child { min-width: 0; }
  .cards tr.winner { padding: 12px; box-shadow: inset 3px 0 var(--kept);
    background: color-mix(in srgb, var(--kept) 8%, transparent); }
  .cards tr.winner > * { background: none; box-shadow: none; padding-left: 0; }
}
"""

_PAPER = """
@media print {
  :root { color-scheme: light; --page: #fff; --surface: #fff; --sunk: #f4f4f4; --ink: #000; --soft: #444; --line: #bbb;
    --grid: #e4e4e4; --kept: #0068a3; --rejected: #b04a00; --peer: #93397a; --good: #00694e; --bad: #a83a00; --floor: #444;
    --shadow: none; }
  body { font-size: 10.5pt; } nav { display: none; }
  main, header, footer { max-width: none; padding: 0; }
  section { padding: 0; border: 0; margin: 18pt 0; } figure, tr, .finding, .tile, .failure { break-inside: avoid; }
  h2, h3, caption, summary { break-after: avoid; } pre { white-space: pre-wrap; overflow-wrap: anywhere; max-height: none; }
  details::details-content { content-visibility: visible; height: auto; }
}
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
"""

SHEET = _SCHEMES + _TYPE + _BLOCKS + _TABLES + _PLOTS + _PHONE + _PAPER
"""Everything, in cascade order."""
