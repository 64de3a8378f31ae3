// Faults in the geometry of the drawings of a page: one sentence each, none where all is well.
// A drawing is what stands in a `.card`; what it may not leave is the card.
(() => {
  const SLACK = 1.5
  const MIN_TRACK = 40

  const rectOf = element => element.getBoundingClientRect()
  const isDrawn = element => element.checkVisibility() && rectOf(element).width > 0

  const describe = element => {
    const kind = typeof element.className === "string" ? element.className.trim() : ""
    const text = element.textContent.trim().replace(/\s+/g, " ").slice(0, 40)
    return `${element.localName}${kind && "." + kind.replace(/\s+/g, ".")} "${text}"`
  }

  // The rows of a grid, each a list of its items. A row is an element of its own, or so many items
  // as there are columns.
  const rowsOf = grid => {
    const items = [...grid.children].filter(child =>
      getComputedStyle(child).display === "contents" || isDrawn(child))
    const wrapped = items.filter(item =>
      getComputedStyle(item).display === "contents"
      || getComputedStyle(item).gridTemplateColumns.startsWith("subgrid"))
    if (wrapped.length) {
      return wrapped.map(row => [...row.children].flatMap(child =>
        getComputedStyle(child).gridTemplateColumns.startsWith("subgrid")
          ? [...child.children] : [child]).filter(isDrawn))
    }
    const width = getComputedStyle(grid).gridTemplateColumns.split(" ").length
    const rows = []
    for (let start = 0; start < items.length; start += width) {
      rows.push(items.slice(start, start + width))
    }
    return rows
  }

  const checkRows = (grid, report) => {
    const columns = getComputedStyle(grid).gridTemplateColumns.split(" ").length
    const rows = rowsOf(grid).filter(row => row.length)
    let bottom = -Infinity
    let whole = null
    for (const row of rows) {
      const rects = row.map(rectOf)
      const visible = rects.filter(rect => rect.height > 0)
      const top = Math.min(...visible.map(rect => rect.top))
      if (Math.max(...visible.map(rect => rect.top)) >= Math.min(...visible.map(rect => rect.bottom))) {
        report(`the parts of a row do not stand on one line: ${row.map(describe).join(", ")}`)
      }
      if (top < bottom - SLACK) report(`a row begins above the end of the one before: ${describe(row[0])}`)
      bottom = Math.max(...rects.map(rect => rect.bottom))
      if (row.length !== columns) continue
      whole ??= rects
      rects.forEach((rect, column) => {
        if (Math.abs(rect.left - whole[column].left) > SLACK) {
          report(`column ${column + 1} is not aligned: ${describe(row[column])}`)
        }
      })
    }
  }

  const checkTracks = (card, report) => {
    for (const track of card.querySelectorAll(".track, .lr-bar")) {
      const { width } = rectOf(track)
      if (isDrawn(track) && width < MIN_TRACK) {
        report(`a bar has ${width.toFixed(0)} px: ${describe(track.parentElement)}`)
      }
    }
  }

  const faultsOf = card => {
    const faults = new Set()
    const report = fault => faults.add(fault)
    for (const element of card.querySelectorAll("*")) {
      if (getComputedStyle(element).display.endsWith("grid") && isDrawn(element)) {
        checkRows(element, report)
      }
    }
    checkTracks(card, report)
    return [...faults].slice(0, 5).map(fault => `${card.dataset.name}: ${fault}`)
  }

  return [...document.querySelectorAll(".card")].flatMap(faultsOf)
})()
