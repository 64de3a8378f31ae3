// Faults in the geometry of the drawings of a page: one sentence each, none where all is well.
// A drawing is what stands in a `.card`, or in another element that is asked for. Of a page that was
// measured before in other colours, `{ selector, onlyColors: true }` asks for faults of colours.
(request => {
  const { selector, onlyColors } = typeof request === "string" ? { selector: request } : request
  const SLACK = 1.5
  const MIN_TRACK = 40
  const LONGEST_WHOLE = 7
  const MAX_HEIGHT = 2600
  const MIN_BAR = 0.5
  const MIN_LINE = 10
  const MIN_GAP = 6
  const MIN_ROOM = 2
  const MIN_LETTER = 8.5
  const MIN_CONTRAST = 4.5
  const MIN_MARK_CONTRAST = 2.9
  const MOST_LINES = 3
  const LONGEST_SHORT = 24
  // Names over places that data decide may meet, as on maps; what lies there is not the drawing's.
  const BY_DATA = ".lr-plot :is(.number, .badge)"

  const once = of => {
    const known = new Map()
    return element => {
      if (!known.has(element)) known.set(element, of(element))
      return known.get(element)
    }
  }
  const rectOf = once(element => element.getBoundingClientRect())
  const styleOf = once(element => {
    const { color, backgroundColor, backgroundImage, borderLeftColor, borderTopColor, borderTopWidth,
      display, fontSize, gridRowStart, gridTemplateAreas, gridTemplateColumns, overflowX, textOverflow, writingMode } = getComputedStyle(element)
    return { color, backgroundColor, backgroundImage, borderLeftColor, borderTopColor, borderTopWidth,
      display, fontSize, gridRowStart, gridTemplateAreas, gridTemplateColumns, overflowX, textOverflow, writingMode }
  })
  // What has no room is not drawn; closed details have none, nor have their parts.
  const isDrawn = element => rectOf(element).width > 0
  const isGrid = element => styleOf(element).display.endsWith("grid")
  const isSubgrid = element =>
    isGrid(element) && styleOf(element).gridTemplateColumns.startsWith("subgrid")
  const scrolls = element => ["auto", "scroll"].includes(styleOf(element).overflowX)

  const describe = element => {
    const kind = typeof element.className === "string" ? element.className.trim() : ""
    const text = element.textContent.trim().replace(/\s+/g, " ").slice(0, 40)
    return `${element.localName}${kind && "." + kind.replace(/\s+/g, ".")} "${text}"`
  }

  // The rows of a grid, each a list of its items. A row is an element of its own, or so many items
  // as there are columns.
  const rowsOf = grid => {
    const items = [...grid.children]
    const rows = items.filter(item => styleOf(item).display === "contents" || isSubgrid(item))
    if (rows.length) {
      return rows.map(row => [...row.children].flatMap(child =>
        isSubgrid(child) ? [...child.children] : [child]).filter(isDrawn))
    }
    const { gridTemplateAreas, gridTemplateColumns } = styleOf(grid)
    if (gridTemplateAreas !== "none") {
      const lines = gridTemplateAreas.match(/"[^"]+"/g).map(line => line.slice(1, -1).split(" "))
      return lines.map(names => items.filter(item => names.includes(styleOf(item).gridRowStart)))
        .filter(row => row.length)
    }
    const width = gridTemplateColumns.split(" ").length
    return Array.from({ length: Math.ceil(items.length / width) }, (_, row) =>
      items.slice(row * width, (row + 1) * width))
  }

  // What is as wide as the grid has a line of its own.
  const linesOfRow = (row, grid) => {
    const isLine = item => rectOf(item).width > 0.95 * rectOf(grid).width
    const lines = [...row.filter(isLine).map(item => [item]), row.filter(item => !isLine(item))]
    return lines.filter(line => line.length).sort((one, other) => rectOf(one[0]).top - rectOf(other[0]).top)
  }

  const checkRows = (grid, report) => {
    const columns = styleOf(grid).gridTemplateColumns.split(" ").length
    if (columns === 1 || grid.matches(".lr-joined")) return
    let bottom = -Infinity
    let whole = null
    for (const row of rowsOf(grid).flatMap(row => linesOfRow(row, grid))) {
      const rects = row.map(rectOf)
      const visible = rects.filter(rect => rect.height > 0)
      if (!visible.length) continue
      const top = Math.max(...visible.map(rect => rect.top))
      if (top >= Math.min(...visible.map(rect => rect.bottom))) {
        report(`the parts of a row do not stand on one line: ${row.map(describe).join(", ")}`)
      }
      if (Math.min(...visible.map(rect => rect.top)) < bottom - SLACK) {
        report(`a row begins above the end of the one before: ${describe(row[0])}`)
      }
      bottom = Math.max(...visible.map(rect => rect.bottom))
      if (row.length !== columns) continue
      whole ??= rects
      rects.forEach((rect, column) => {
        if (Math.abs(rect.left - whole[column].left) > SLACK) {
          report(`column ${column + 1} is not aligned: ${describe(row[column])}`)
        }
      })
    }
  }

  // Rows of several lines each stand further from each other than their lines do.
  const checkWrapped = (strips, report) => {
    const rows = [...strips.children].map(row => [...row.querySelectorAll("ol > *")].filter(isDrawn).map(rectOf))
    const topOf = rects => Math.min(...rects.map(rect => rect.top))
    const bottomOf = rects => Math.max(...rects.map(rect => rect.bottom))
    for (let i = 1; i < rows.length; i++) {
      if (!rows[i].length || !rows[i - 1].length) continue
      const gap = topOf(rows[i]) - bottomOf(rows[i - 1])
      if (gap < MIN_GAP) report(`rows run into each other, ${gap.toFixed(1)} px: ${describe(strips.children[i])}`)
    }
  }

  // Two rankings joined by lines: both begin and end together, and so do their rows where no label
  // is tied.
  const checkSides = (joined, report) => {
    const [left, right] = [...joined.querySelectorAll(":scope > .side")].map(side => [...side.children])
    if (!left) return
    const pairs = left.length === right.length && !joined.querySelector(".lr-tied")
      ? left.map((item, row) => [item, right[row]])
      : []
    const tops = [[left[0], right[0]], ...pairs].map(pair => pair.map(item => rectOf(item.parentElement).top))
    const middles = pairs.map(pair => pair.map(item => rectOf(item).top + rectOf(item).height / 2))
    if ([...tops, ...middles].some(([one, other]) => Math.abs(one - other) > SLACK)) {
      report(`both sides are not on one line: ${describe(joined)}`)
    }
  }

  // The numbers of places stand apart, also over places that only tied labels fill.
  const checkHeads = (card, report) => {
    for (const head of card.querySelectorAll(".lr-strips > .head")) {
      const numbers = [...head.querySelectorAll("span:not(.name)")].filter(isDrawn).map(number => {
        const range = document.createRange()
        range.selectNodeContents(number)
        return range.getBoundingClientRect()
      })
      const gaps = numbers.slice(1).map((rect, i) => rect.left - numbers[i].right)
      if (Math.min(...gaps) < MIN_GAP) report(`the numbers of places run together: ${describe(head)}`)
    }
  }

  const checkTracks = (card, lines, report) => {
    for (const track of card.querySelectorAll(".track, .lr-bar")) {
      const { width } = rectOf(track)
      if (track.getClientRects().length && width < MIN_TRACK) {
        report(`a bar has ${width.toFixed(0)} px: ${describe(track.parentElement)}`)
      }
    }
    for (const mark of card.querySelectorAll(".lr-bar i")) {
      const box = rectOf(mark)
      const words = lines.find(({ rect }) => rect.left < box.left && box.right < rect.right &&
        rect.top + rect.height * 0.25 < box.bottom && box.top < rect.bottom - rect.height * 0.25)
      if (words) report(`a mark lies on words: ${describe(words.element)}`)
    }
    for (const mark of card.querySelectorAll(".lr-plot i:is(.near, .level, .point, .own)")) {
      const box = rectOf(mark)
      const words = lines.find(({ element, rect }) => element.closest(".lr-plot") &&
        !element.closest(BY_DATA) && rect.left + 1 < box.right && box.left < rect.right - 1 &&
        rect.top + rect.height * 0.25 < box.bottom && box.top < rect.bottom - rect.height * 0.25)
      if (words) report(`a mark lies on words: ${describe(words.element)}`)
    }
    for (const mark of card.querySelectorAll(".lr-bars .track i:not(.even)")) {
      const box = rectOf(mark)
      const words = lines.find(({ element, rect }) => element.closest(".lr-bars") === mark.closest(".lr-bars") &&
        rect.left < box.right + MIN_ROOM && box.left < rect.right + MIN_ROOM &&
        rect.top + rect.height * 0.25 < box.bottom && box.top < rect.bottom - rect.height * 0.25)
      if (words) report(`a mark lies on words: ${describe(words.element)}`)
    }
    for (const plot of card.querySelectorAll(".lr-plot")) {
      for (const words of plot.querySelectorAll(".tick-x, .tick-y, .name")) {
        if (!contains(rectOf(plot), rectOf(words))) report(`text leaves the figure: ${describe(words)}`)
      }
    }
    for (const root of card.querySelectorAll(".lr-tree > li > div")) {
      if (!contains(rectOf(root.closest(".lr-scroll")), rectOf(root))) {
        report(`the root of a tree is out of sight: ${describe(root)}`)
      }
    }
    for (const key of card.querySelectorAll(".lr-key b[style]")) {
      // What the key explains by its colour is drawn in that colour; a bar may be 0 long.
      const marks = [...card.querySelectorAll(".track *, .lr-plot i, .lr-layer")].map(styleOf)
      const colors = marks.flatMap(style => [style.backgroundColor, style.borderLeftColor, style.backgroundImage])
      if (!colors.some(drawn => drawn.includes(styleOf(key).color))) report(`is explained but not drawn: ${describe(key)}`)
    }
    for (const line of card.querySelectorAll(".lr-strip .zero")) {
      const { height } = rectOf(line)
      if (isDrawn(line) && height < MIN_LINE) report(`a line has ${height.toFixed(0)} px: ${describe(line.parentElement)}`)
    }
    for (const scale of card.querySelectorAll(".lr-spans .head .track")) {
      const n = [...scale.children].filter(isDrawn).length
      if (n < 2 && scale.children.length > 1) report(`a scale has ${n} number: ${describe(scale)}`)
    }
    for (const bar of card.querySelectorAll(".lr-spans .track b")) {
      if (rectOf(bar).width < MIN_BAR) report(`a bar cannot be seen: ${describe(bar.closest("li"))}`)
    }
    for (const figure of card.querySelectorAll("svg")) {
      // Bars are as thick as each other, however long they are.
      const bars = [...figure.querySelectorAll("rect[fill]:not([fill-opacity])")].map(bar => bar.getBBox())
      for (const side of ["width", "height"]) {
        const thick = bars.map(bar => bar[side])
        const areEqual = bars.length > 1 && Math.max(...thick) - Math.min(...thick) < 0.1
        if (areEqual && thick[0] > 0 && thick[0] < MIN_BAR) report(`a bar cannot be seen: ${describe(figure)}`)
      }
    }
  }

  // The lines of text of a card: where each stands, and the element that it is written in.
  const linesOf = card => {
    const lines = []
    const walker = document.createTreeWalker(card, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement
      if (!node.data.trim() || element.localName === "style" || element.localName === "h6") continue
      const range = document.createRange()
      range.selectNodeContents(node)
      // A range does not know that a text of SVG has been given a length.
      const rects = element.hasAttribute("textLength") ? [rectOf(element)] : range.getClientRects()
      for (const rect of rects) {
        if (rect.width > 1) lines.push({ element, node, rect, isWord: /[\p{L}\p{N}]/u.test(node.data) })
      }
    }
    return lines
  }

  // The beginning of a number is another number.
  const checkNumbers = (lines, report) => {
    for (const { element, node } of lines) {
      if (/= [+-]?[\d.,]+…/.test(node.data)) report(`a number is cut: ${describe(element)}`)
    }
  }

  // Names are cut so that they differ; what is cut again, by its cell, need not.
  const checkEllipses = (card, report) => {
    for (const element of card.querySelectorAll(".lr-strips.short ol *, .lr-counts i *")) {
      if (styleOf(element).textOverflow !== "ellipsis" || element.scrollWidth <= element.clientWidth) continue
      const text = element.textContent.trim()
      if (text.includes("…")) report(`a name is cut twice: ${describe(element)}`)
      if (/^[\d.]+$/.test(text)) report(`a number is cut: ${describe(element)}`)
    }
  }

  // A name of a few letters stands in a few lines.
  const checkChips = (card, report) => {
    for (const chip of card.querySelectorAll(".lr-chip")) {
      if (chip.textContent.length > LONGEST_SHORT || !isDrawn(chip)) continue
      const range = document.createRange()
      range.selectNodeContents(chip)
      const lines = new Set([...range.getClientRects()].map(rect => Math.round(rect.top)))
      if (lines.size > MOST_LINES) report(`a name is broken into ${lines.size} lines: ${describe(chip)}`)
    }
  }

  // What bars say is their length: in one drawing all are as thick.
  const checkThickness = (card, report) => {
    for (const chart of card.querySelectorAll(".lr-waterfall, .lr-spans, .lr-ladder")) {
      const bars = [...chart.querySelectorAll("li:not(.head) .track b, .lr-bar > span")].map(rectOf)
      const thick = bars.map(bar => bar.height)
      if (Math.max(...thick) - Math.min(...thick) > SLACK) report(`bars are not as thick as each other: ${describe(chart)}`)
    }
  }

  const contains = (outer, inner) =>
    inner.left >= outer.left - SLACK && inner.right <= outer.right + SLACK

  const checkCut = (card, { element, rect }, report) => {
    let inner = rect
    for (let box = element; box !== card.parentElement; box = box.parentElement) {
      if (["contents", "inline"].includes(styleOf(box).display) && box.localName !== "svg") continue
      const outer = rectOf(box)
      if (scrolls(box)) {
        inner = outer
      } else if (box === card && !contains(outer, inner)) {
        report(`text leaves the card: ${describe(element)}`)
      } else if (styleOf(box).overflowX !== "visible" && box.localName !== "svg" && !contains(outer, inner)) {
        // What ends in dots says itself that it is cut, and pointing at it says it whole.
        if (styleOf(box).textOverflow !== "ellipsis" || !box.closest("[title]")) {
          report(`text is cut: ${describe(element)}`)
        }
        inner = outer
      } else if (box.localName === "svg" && !contains(outer, inner)) {
        report(`text leaves the figure: ${describe(element)}`)
      }
    }
  }

  // Long words may be broken, short ones are where a column has no room.
  const checkBreaks = (lines, report) => {
    const [first, ...others] = lines
    let before = first
    for (const line of others) {
      if (line.node === before.node && line.rect.top > before.rect.top) {
        if (!checked.has(line.node)) breaksOf(line.node, report)
        checked.add(line.node)
      }
      before = line
    }
  }
  const checked = new Set()
  const breaksOf = (node, report) => {
    // The heads of narrow columns stand upright instead.
    const isHead = node.parentElement.closest(":is(.lr-matrix, .lr-sets) thead th")
    for (const { 0: word, index } of node.data.matchAll(/\S+/g)) {
      if (word.length > LONGEST_WHOLE && !isHead) continue
      const range = document.createRange()
      range.setStart(node, index)
      range.setEnd(node, index + word.length)
      const tops = [...range.getClientRects()].map(rect => Math.round(rect.top))
      if (new Set(tops).size > 1) report(`"${word}" is broken: ${describe(node.parentElement)}`)
    }
  }

  const checkOverlaps = (lines, report) => {
    // Lines of type may touch; letters fill the middle of a line.
    const boxes = lines
      .filter(({ element }) => !element.closest(BY_DATA))
      .map(({ element, node, rect }) => {
        const cut = styleOf(element).textOverflow === "ellipsis" ? rectOf(element) : rect
        const isUpright = styleOf(element).writingMode !== "horizontal-tb"
        const [dx, dy] = isUpright ? [rect.width * 0.25, 1] : [1, rect.height * 0.25]
        return {
          element, node,
          left: rect.left + dx, right: Math.min(rect.right, cut.right) - dx, top: rect.top + dy, bottom: rect.bottom - dy,
        }
      })
      .sort((a, b) => a.top - b.top)
    boxes.forEach((box, i) => {
      for (let j = i + 1; j < boxes.length && boxes[j].top < box.bottom; j++) {
        const other = boxes[j]
        if (other.node !== box.node && other.left < box.right && box.left < other.right) {
          report(`texts lie on each other: ${describe(box.element)}, ${describe(other.element)}`)
        }
      }
    })
  }

  const checkParts = (card, report) => {
    const outer = scrolls(card) ? { left: -Infinity, right: Infinity } : rectOf(card)
    for (const element of card.querySelectorAll("*")) {
      if (element.localName === "style" || !isDrawn(element)) continue
      if (isGrid(element)) checkRows(element, report)
      if (element.matches(".lr-joined")) checkSides(element, report)
      if (element.matches(".lr-strips.wrapped")) checkWrapped(element, report)
      let scroller = element.parentElement
      while (scroller !== card && !scrolls(scroller)) scroller = scroller.parentElement
      if (scroller === card && !contains(outer, rectOf(element))) {
        report(`a part leaves the card: ${describe(element)}`)
      }
    }
  }

  const checkStyles = (card, report) => {
    for (const element of card.querySelectorAll("[style], svg *")) {
      for (const { name, value } of element.attributes) {
        const numbers = value.replace(/url\([^)]*\)/g, "")
        if (name !== "d" && /(^|[^\w.])-0(\.0*)?(?![\d.])|nan|inf\b/i.test(numbers) && !/^(title|data-|aria-|class)/.test(name)) {
          report(`a number is no number: ${name}="${value.slice(0, 60)}"`)
        }
      }
    }
  }

  const colorOf = text => {
    const numbers = text.match(/-?[\d.]+(e-?\d+)?/g).map(Number)
    const scale = text.startsWith("color(") ? 255 : 1
    if (text.startsWith("color(srgb")) numbers.splice(0, numbers.length - (text.includes("/") ? 4 : 3))
    return { channels: numbers.slice(0, 3).map(channel => channel * scale), alpha: numbers[3] ?? 1 }
  }
  const over = (top, below) => below.map((channel, i) =>
    top.channels[i] * top.alpha + channel * (1 - top.alpha))
  const luminance = channels => {
    const [r, g, b] = channels.map(channel => {
      const share = channel / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const grounds = new Map()
  const groundOf = element => {
    if (!element) return [255, 255, 255]
    if (!grounds.has(element)) {
      grounds.set(element, over(colorOf(styleOf(element).backgroundColor), groundOf(element.parentElement)))
    }
    return grounds.get(element)
  }

  const scaleOf = element => {
    const { a, b } = element.getScreenCTM()
    return Math.hypot(a, b)
  }

  const checkLetters = (lines, report) => {
    for (const { element, isWord } of lines) {
      if (!isWord) continue
      const style = styleOf(element)
      const isVector = element instanceof SVGElement
      const size = parseFloat(style.fontSize) * (isVector ? scaleOf(element) : 1)
      if (size < MIN_LETTER) report(`letters have ${size.toFixed(1)} px: ${describe(element)}`)
      if (isVector || element.closest("figcaption")) continue
      const ground = groundOf(element)
      const [light, dark] = [over(colorOf(style.color), ground), ground]
        .map(luminance).sort((a, b) => b - a)
      const contrast = (light + 0.05) / (dark + 0.05)
      if (contrast < MIN_CONTRAST) {
        report(`contrast ${contrast.toFixed(1)}: ${describe(element)} ${style.color} on ${ground.map(Math.round)}`)
      }
    }
  }

  // On dark ground marks are lighter, or have a lighter border; the light palette is as it is.
  const MARKS = ".track b, .track span[class], .lr-squares i:not(.none), .lr-bar > span, .lr-plot i"
  const checkMarks = (card, report) => {
    if (luminance(groundOf(card)) > 0.2) return
    for (const mark of card.querySelectorAll(MARKS)) {
      const { backgroundColor, borderTopColor, borderTopWidth } = styleOf(mark)
      const colors = parseFloat(borderTopWidth) ? [backgroundColor, borderTopColor] : [backgroundColor]
      const ground = luminance(groundOf(card)) + 0.05
      const contrasts = colors.map(colorOf).filter(color => color.alpha === 1)
        .map(color => (luminance(color.channels) + 0.05) / ground)
      if (contrasts.length && Math.max(...contrasts) < MIN_MARK_CONTRAST) {
        report(`a mark has contrast ${Math.max(...contrasts).toFixed(1)}: ${describe(mark)} ${colors}`)
      }
    }
  }

  const faultsOf = card => {
    const faults = new Set()
    const report = fault => faults.add(fault)
    const lines = linesOf(card)
    checkLetters(lines, report)
    checkMarks(card, report)
    if (!onlyColors) checkGeometry(card, lines, report)
    return [...faults].slice(0, 3).map(fault => `${card.dataset.name ?? describe(card)}: ${fault}`)
  }

  const checkGeometry = (card, lines, report) => {
    if (rectOf(card).height > MAX_HEIGHT) report(`a drawing is ${rectOf(card).height.toFixed(0)} px high`)
    checkParts(card, report)
    checkTracks(card, lines, report)
    for (const line of lines) checkCut(card, line, report)
    checkNumbers(lines, report)
    checkEllipses(card, report)
    checkHeads(card, report)
    checkChips(card, report)
    checkThickness(card, report)
    checkOverlaps(lines, report)
    checkBreaks(lines, report)
    checkStyles(card, report)
  }

  return [...document.querySelectorAll(selector)].flatMap(faultsOf)
})
