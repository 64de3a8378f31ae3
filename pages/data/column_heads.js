/* The first rows of a file. Each head says what its column is, in a list that changes it; names of
   columns can be marked, and then all of them are changed at once. */
export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".column-heads")
  const marked = root.marked ?? new Set()
  root.marked = marked
  const send = (columns, role) => {
    marked.clear()
    setTriggerValue("change", { columns, role })
  }
  const held = root.getRootNode().activeElement?.dataset.focus
  draw()
  if (held) root.querySelector(`[data-focus="${held}"]`)?.focus()

  function draw() {
    const head = element("tr", {}, ...data.columns.map(headCell))
    const hasTargets = data.targets.length > 0
    if (hasTargets) head.append(element("th", { class: "target", scope: "col" }, "read as"))
    const body = data.rows.map((cells, row) => {
      const line = element("tr", {}, ...cells.map((text, column) => bodyCell(text, column)))
      if (hasTargets) line.append(targetCell(data.targets[row]))
      return line
    })
    const table = element("table", {}, element("thead", {}, head), element("tbody", {}, ...body))
    root.replaceChildren(severalAtOnce(), element("div", { class: "scroll", tabindex: 0 }, table))
  }

  function kindOf(column) {
    return data.roles[data.columns[column].role].key
  }

  function headCell({ name, role, why }, column) {
    const button = element(
      "button",
      {
        type: "button",
        class: "column-name",
        title: `${name}: ${why}`,
        "aria-pressed": String(marked.has(column)),
        "data-focus": `name-${column}`,
        onclick: () => {
          if (!marked.delete(column)) marked.add(column)
          draw()
          root.querySelector(`[data-focus="name-${column}"]`).focus()
        },
      },
      name || "no name",
    )
    const select = roleList(`Role of ${name}`, `role-${column}`, role)
    select.addEventListener("change", () => send([column], Number(select.value)))
    return element("th", { class: kindOf(column), scope: "col" }, button, select)
  }

  function roleList(label, focus, role) {
    const options = data.roles.map(({ text, meaning }, index) =>
      element("option", { value: index, selected: index === role, title: meaning }, text),
    )
    const title = data.roles[role]?.meaning ?? ""
    return element("select", { "aria-label": label, "data-focus": focus, title }, ...options)
  }

  function severalAtOnce() {
    const line = element("p", { class: "several" })
    if (marked.size === 0) {
      line.append("The list under a name says what the column is. Click names to change several at once.")
      return line
    }
    const columns = [...marked].sort((a, b) => a - b)
    const select = roleList("Role of the marked columns", "several", -1)
    select.prepend(element("option", { value: -1, selected: true }, "choose …"))
    select.addEventListener("change", () => send(columns, Number(select.value)))
    const subject = columns.length === 1 ? "1 marked column is" : `${columns.length} marked columns are`
    line.append(`${subject}: `, select)
    return line
  }

  function bodyCell(text, column) {
    return element("td", { class: kindOf(column), title: text }, text)
  }

  function targetCell({ buckets, known_pairs, n_relevant, n_more }) {
    const cell = element("td", { class: "target" })
    if (known_pairs) {
      cell.append(...known_pairs.map(knownPairs))
      if (known_pairs.length === 0) cell.append(element("small", {}, "no pair"))
      if (n_more) cell.append(element("small", {}, `+${n_more}`))
      return cell
    }
    const strip = element("span", { class: "strip" })
    let nBefore = 0
    for (const bucket of buckets) {
      if (n_relevant !== null && nBefore === n_relevant) strip.append(zeroLine())
      const chips = bucket.map((label) => chip(data.labels[label]))
      if (chips.length === 1) strip.append(chips[0])
      else strip.append(element("span", { class: "tied", title: "tied" }, ...chips))
      nBefore += bucket.length
    }
    if (n_relevant !== null && nBefore === n_relevant && n_more === 0) strip.append(zeroLine())
    if (n_more) strip.append(element("small", {}, `+${n_more}`))
    if (buckets.length === 0) strip.append(element("small", {}, "no label"))
    cell.append(strip)
    return cell
  }

  function knownPairs(chain) {
    const strip = element("span", { class: "strip pairs" })
    chain.forEach((bucket, place) => {
      if (place) strip.append(element("small", {}, "before"))
      const chips = bucket.map((label) => chip(data.labels[label]))
      strip.append(...(chips.length === 1 ? chips : [element("span", { class: "tied", title: "tied" }, ...chips)]))
    })
    return strip
  }

  function zeroLine() {
    return element("span", { class: "zero-line", role: "img", "aria-label": "relevant up to here" })
  }

  function chip({ name, color, ink }) {
    const node = element("span", { class: "chip", title: name }, name)
    node.style.background = color
    node.style.color = ink
    return node
  }
}
