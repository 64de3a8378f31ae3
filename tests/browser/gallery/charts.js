// Faults in the charts of a page, drawn by Plotly: one sentence each, none where all is well.
(selector => {
  const SLACK = 1.5

  const describe = text => `"${text.textContent.trim().slice(0, 40)}"`

  // Letters fill the middle of a line, which is upright where the text is.
  const boxOf = text => {
    const { left, right, top, bottom, width, height } = text.getBoundingClientRect()
    const lines = Math.max(1, text.querySelectorAll("tspan.line").length)
    const [dx, dy] = height > width && text.textContent.length > 2
      ? [width / lines * 0.25, 1]
      : [1, height / lines * 0.25]
    return { text, left: left + dx, right: right - dx, top: top + dy, bottom: bottom - dy }
  }

  const faultsOf = chart => {
    const faults = new Set()
    const frame = chart.querySelector("svg.main-svg").getBoundingClientRect()
    const texts = [...chart.querySelectorAll("svg.main-svg text")].filter(text =>
      text.textContent.trim() && text.getBoundingClientRect().width)
    for (const text of texts) {
      const { left, right, top, bottom } = text.getBoundingClientRect()
      const isInside = left >= frame.left - SLACK && right <= frame.right + SLACK &&
        top >= frame.top - SLACK && bottom <= frame.bottom + SLACK
      if (!isInside) faults.add(`text leaves the chart: ${describe(text)}`)
    }
    const boxes = texts.map(boxOf).sort((one, other) => one.top - other.top)
    boxes.forEach((box, i) => {
      for (let j = i + 1; j < boxes.length && boxes[j].top < box.bottom; j++) {
        const other = boxes[j]
        if (other.left < box.right && box.left < other.right) {
          faults.add(`texts lie on each other: ${describe(box.text)}, ${describe(other.text)}`)
        }
      }
    })
    for (const bar of chart.querySelectorAll(".legend .scrollbar")) {
      if (bar.getBoundingClientRect().height) faults.add("a legend is cut")
    }
    for (const area of chart.querySelectorAll(".nsewdrag")) {
      const room = area.getBoundingClientRect()
      for (const mark of chart.querySelectorAll(`.overplot .${area.dataset.subplot} path.point`)) {
        const box = mark.getBoundingClientRect()
        const isInside = box.left >= room.left - SLACK && box.right <= room.right + SLACK &&
          box.top >= room.top - SLACK && box.bottom <= room.bottom + SLACK
        if (!isInside && getComputedStyle(mark).opacity > 0 && mark.closest("[clip-path]")) {
          faults.add(`a mark is cut`)
        }
      }
    }
    return [...faults].slice(0, 3).map(fault => `${chart.dataset.name}: ${fault}`)
  }

  return [...document.querySelectorAll(selector)].flatMap(faultsOf)
})
