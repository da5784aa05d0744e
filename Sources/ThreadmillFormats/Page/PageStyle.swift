/// How the page of a report looks: light and dark, wide and narrow, on paper.
enum PageStyle {
  /// Text has a contrast of at least 4.5 to what is behind it, in both schemes.
  static let sheet: StaticString = """
    :root { color-scheme: light dark; --page: #f4f5f8; --card: #fff; --ink: #1b2230; --soft: #566072;
      --line: #dfe3ea; --sunk: #f6f7fa; --link: #1f56b3; --mark: #ffe08a; --mark-ink: #1b2230;
      --error: #b3161f; --error-back: #fde7e8; --warning: #8a4b08; --warning-back: #fdf0dc;
      --note: #1f56b3; --note-back: #e6eefb; --calm: #17663a;
      --o0: #2f62c9; --o0-back: #e3ecfd; --o1: #a3470a; --o1-back: #fdeadb; --o2: #17703f;
      --o2-back: #def3e6; --o3: #8430a0; --o3-back: #f4e5f9; --o4: #0b6b76; --o4-back: #dcf2f4;
      --o5: #a81f5b; --o5-back: #fde4ee; }
    @media (prefers-color-scheme: dark) { :root { --page: #10141b; --card: #181e28; --ink: #e6eaf1;
      --soft: #9aa6b8; --line: #2b3442; --sunk: #131922; --link: #8db7ff; --mark: #5c4a12;
      --mark-ink: #fff3cf; --error: #ff9a9f; --error-back: #46191d; --warning: #f3bd77;
      --warning-back: #3a2c18; --note: #9dc1ff; --note-back: #1c2c48; --calm: #86d7a6;
      --o0: #8db7ff; --o0-back: #1b2c4d; --o1: #f5b27c; --o1-back: #40270f; --o2: #83d6a5;
      --o2-back: #15341f; --o3: #dca8ec; --o3-back: #37203f; --o4: #7fd3dd; --o4-back: #0f3338;
      --o5: #ff9dc4; --o5-back: #431c2d; } }
    .o0 { --hue: var(--o0); --tint: var(--o0-back); } .o1 { --hue: var(--o1); --tint: var(--o1-back); }
    .o2 { --hue: var(--o2); --tint: var(--o2-back); } .o3 { --hue: var(--o3); --tint: var(--o3-back); }
    .o4 { --hue: var(--o4); --tint: var(--o4-back); } .o5 { --hue: var(--o5); --tint: var(--o5-back); }
    * { box-sizing: border-box; }
    body { margin: 0; background: var(--page); color: var(--ink); overflow-wrap: anywhere;
      font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
    header, main, body > footer { max-width: 82rem; margin: 0 auto; padding: 0 1.25rem; }
    header { padding-top: 2.5rem; } header p, p { margin: 0; }
    h1 { margin: .2rem 0 .6rem; font-size: 2.1rem; line-height: 1.15; letter-spacing: -.015em; }
    h1.calm { color: var(--calm); } h2 { font-size: 1.15rem; margin: 2.5rem 0 .5rem; }
    h3 { font-size: 1.02rem; font-weight: 600; line-height: 1.4; margin: .3rem 0 .1rem; }
    h4 { font-size: .78rem; font-weight: 600; color: var(--soft); margin: 1.4rem 0 .5rem;
      letter-spacing: .05em; text-transform: uppercase; }
    code, .place, .function, .source, .object, svg text.place { font-family: ui-monospace, "SF Mono",
      Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .9em; }
    .product { font-weight: 700; letter-spacing: .1em; text-transform: uppercase; font-size: .78rem;
      color: var(--soft); }
    .hint, figcaption { color: var(--soft); font-size: .87rem; }
    .badges { display: flex; flex-wrap: wrap; gap: .35rem; align-items: center; }
    header .badges { margin-bottom: .5rem; }
    .badge { padding: .02rem .55rem; border-radius: 1rem; font-size: .8rem; font-weight: 500;
      border: 1px solid var(--line); color: var(--soft); }
    .badge.error { color: var(--error); background: var(--error-back); border-color: transparent; }
    .badge.warning { color: var(--warning); background: var(--warning-back);
      border-color: transparent; }
    .badge.note { color: var(--note); background: var(--note-back); border-color: transparent; }
    .badge.confirmed { color: var(--error); border-color: var(--error); }
    .badge.kind { color: var(--ink); } .badge.count { font-variant-numeric: tabular-nums; }
    #filters { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: .5rem .8rem;
      align-items: end; background: var(--page); padding: .8rem 0; margin-top: 1rem;
      border-bottom: 1px solid var(--line); }
    #filters[hidden] { display: none; }
    #filters label { display: grid; font-size: .78rem; color: var(--soft); flex: 0 1 9.5rem;
      min-width: 6.5rem; }
    #filters .search { flex: 1 1 14rem; }
    #filters input, #filters select, #filters button { font: inherit; font-size: .9rem;
      color: var(--ink); background: var(--card); border: 1px solid var(--line); border-radius: .45rem;
      padding: .35rem .55rem; width: 100%; min-height: 2.25rem; }
    #filters button { width: auto; cursor: pointer; }
    output { color: var(--soft); font-size: .87rem; min-height: 2.25rem; line-height: 2.25rem; }
    :focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: .3rem; }
    .findings { display: grid; grid-template-columns: minmax(0, 1fr); gap: .7rem; margin-top: 1rem; }
    .finding { background: var(--card); border: 1px solid var(--line); border-radius: .8rem;
      border-left: 4px solid var(--line); scroll-margin-top: 5rem; }
    .finding.error { border-left-color: var(--error); }
    .finding.warning { border-left-color: var(--warning); }
    .finding.note { border-left-color: var(--note); }
    .finding[hidden] { display: none; }
    .findings:has(> :nth-child(50)) > .finding:not(:target) { content-visibility: auto;
      contain-intrinsic-size: auto 6.4rem; }
    .finding > details > summary { cursor: pointer; padding: .85rem 2.4rem .85rem 1.1rem;
      list-style: none; position: relative; }
    .finding > details > summary::-webkit-details-marker { display: none; }
    .finding > details > summary::after { content: "▾"; position: absolute; right: 1rem; top: .8rem;
      color: var(--soft); transform: rotate(-90deg); }
    .finding > details[open] > summary::after { transform: none; }
    .finding > details > div { padding: 0 1.1rem 1.1rem; }
    .place { color: var(--soft); unicode-bidi: isolate; }
    .advice { background: var(--sunk); border-radius: .6rem; padding: .7rem .9rem; display: grid;
      gap: .35rem; }
    .again { display: flex; flex-wrap: wrap; gap: .2rem .6rem; align-items: baseline; }
    .again button { font: inherit; font-size: .8rem; color: var(--link); background: none;
      border: 1px solid var(--line); border-radius: .4rem; padding: 0 .5rem; cursor: pointer; }
    .figures { display: flex; flex-wrap: wrap; gap: 0 2rem; }
    figure { margin: 0; min-width: 0; max-width: 100%; }
    figure:has(.lane) { flex: 1 1 26rem; } figcaption { max-width: 34rem; margin-top: .3rem; }
    .drawing { overflow-x: auto; } svg { display: block; height: auto; max-width: 100%; }
    figure:has(.lane) svg { min-width: 30rem; width: 100%; max-width: 46rem; }
    svg text { fill: var(--ink); font-size: 13px; } svg text.place { fill: var(--soft);
      font-size: 11px; }
    figure svg .node + .name, svg .tag, svg .name ~ .place { text-anchor: middle; }
    svg .node { fill: var(--tint, var(--sunk)); stroke: var(--hue, var(--soft)); stroke-width: 1.5; }
    svg .node + .name { font-weight: 600; }
    svg .edge { fill: none; stroke: var(--ink); stroke-width: 1.7; opacity: .8; }
    svg .edge.head { fill: var(--ink); stroke: none; }
    svg .tag.side { text-anchor: start; }
    svg .tag { font-size: 12px; paint-order: stroke; stroke: var(--card); stroke-width: 6px;
      stroke-linejoin: round; }
    svg .bed { fill: var(--sunk); } svg .who { font-weight: 600; }
    svg .held .bar { fill: var(--tint); stroke: var(--hue); }
    svg .waits .bar { fill: var(--card); stroke: var(--hue); stroke-width: 1.5;
      stroke-dasharray: 5 3; }
    svg .does .bar { fill: var(--card); stroke: var(--ink); }
    svg .bar + .name { font-size: 12px; }
    svg .now { stroke: var(--soft); stroke-width: 1.5; stroke-dasharray: 2 4; }
    .columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(24rem, 100%), 1fr));
      gap: .8rem; }
    .column { border: 1px solid var(--line); border-radius: .6rem; padding: .7rem .9rem;
      min-width: 0; }
    .label { font-size: .87rem; color: var(--soft); margin-top: .7rem; }
    .object { color: var(--hue); background: var(--tint); border-radius: .35rem; padding: .05rem .4rem;
      unicode-bidi: isolate; }
    .stack { list-style: none; margin: .15rem 0 0; padding: 0 0 0 .7rem;
      border-left: 2px solid var(--line); }
    .stack li { padding: .1rem 0; } .own > .function { font-weight: 600; display: block; }
    .own > .place { display: block; } .system, .fold { color: var(--soft); font-size: .87rem; }
    .system > .place { margin-left: .6rem; } .fold summary { cursor: pointer; }
    .source { background: var(--sunk); border: 1px solid var(--line); border-radius: .45rem;
      margin: .25rem 0 .35rem; padding: .3rem 0; overflow-x: auto; overflow-wrap: normal; }
    .source div { display: flex; width: max-content; min-width: 100%; padding-right: .7rem; }
    .source code { white-space: pre; font-size: .92em; unicode-bidi: isolate; }
    .source .number { flex: 0 0 3.2rem; text-align: right; padding-right: .8rem; color: var(--soft);
      user-select: none; font-size: .92em; }
    .source .here { background: var(--error-back); } .source .here .number { color: var(--error); }
    mark { background: var(--mark); color: var(--mark-ink); border-radius: .2rem; }
    .facts, .objects { list-style: none; margin: 0; padding: 0; display: grid; gap: .6rem;
      grid-template-columns: repeat(auto-fit, minmax(min(24rem, 100%), 1fr)); }
    .objects .object { margin-right: .4rem; } .objects summary { cursor: pointer; }
    dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .15rem 1rem;
      margin: 1.4rem 0 0; font-size: .87rem; }
    dt { color: var(--soft); } dd { margin: 0; } a { color: var(--link); }
    .accounts, .explored { border-collapse: collapse; font-size: .9rem; }
    .explored th, .explored td { text-align: left; font-weight: 400; vertical-align: top;
      padding: .15rem 2rem .15rem 0; }
    .accounts th { text-align: left; font-weight: 400; padding: .15rem 2rem .15rem 0; }
    .accounts td { text-align: right; font-variant-numeric: tabular-nums; }
    .story { border-collapse: collapse; font-size: .87rem; }
    .story caption { text-align: left; color: var(--soft); padding-bottom: .3rem; }
    .story th, .story td { text-align: left; vertical-align: top; padding: .15rem .8rem .15rem 0;
      white-space: nowrap; unicode-bidi: isolate; border-bottom: 1px solid var(--line); }
    .story th[scope="row"] { font-weight: 400; color: var(--soft); text-align: right; }
    .story .forced td { background: var(--error-back); }
    body > footer { color: var(--soft); font-size: .85rem; padding-top: 2rem; padding-bottom: 3rem; }
    @media (max-width: 40rem) { header { padding-top: 1.5rem; } h1 { font-size: 1.7rem; }
      header, main, body > footer { padding-left: .75rem; padding-right: .75rem; }
      #filters { position: static; } .finding > details > div { padding: 0 .7rem .8rem; }
      .finding > details > summary { padding-left: .8rem; } .column { padding: .5rem .6rem; } }
    @media print { #filters, .again button { display: none; } body { background: none; }
      .finding, .column, figure { break-inside: avoid; } .finding { content-visibility: visible; } }
    """
}
