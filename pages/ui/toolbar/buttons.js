/* The buttons of the bar. Each opens the container of the bar with its name below itself: what was
   chosen by a widget in a container out of sight counts, because it stays on the page. Share copies
   the link as well, within the click, as browsers demand. */
export default function ({ parentElement, data, setTriggerValue }) {
  // A page that is being left may draw it once more, outside of the bar.
  if (!parentElement.closest(".st-key-bar")) return
  parentElement.bar ??= attach(parentElement)
  parentElement.bar.show(data, () => setTriggerValue("random", true))
}

const MARGIN = 4
// Before the main parameter of a method.
const PARAMETER = " · "
// What opens above the page from a widget in an open container.
const ABOVE = "[data-st-overlay-root], [role=listbox], [role=dialog], [role=tooltip]"
// It takes the key Escape first.
const LIST = "[role=listbox]"
const COPIED_MILLISECONDS = 2500

function attach(root) {
  const bar = root.closest(".st-key-bar")
  const buttons = [...root.querySelectorAll("[data-panel]")]
  const share = buttons.find((button) => button.dataset.panel === "share")
  const facts = root.querySelector(".facts")
  const panel = (name) => bar.querySelector(`.st-key-bar_${name}`)
  let link = { url: "", keys: [] }
  let askForRandom = () => {}
  let timer = 0

  const open = (name) => {
    // React leaves alone what it has not set, and the bar outlives its buttons when another page is
    // opened; the style sheet reads it.
    bar.dataset.open = name
    // While the script runs, buttons of the run before may stand beside the new ones.
    for (const button of bar.querySelectorAll("[data-panel]")) {
      const isOpen = button.dataset.panel === name
      button.setAttribute("aria-expanded", isOpen)
      // One that is not laid out has no place.
      if (isOpen && button.offsetWidth) place(panel(name), button)
    }
  }
  const place = (opened, button) => {
    if (!opened) return
    const { left } = button.getBoundingClientRect()
    const frame = bar.getBoundingClientRect()
    const most = frame.width - opened.offsetWidth
    opened.style.left = `${Math.max(0, Math.min(left - frame.left, most))}px`
    // Below all lines of the bar, so that its other buttons stay in reach.
    opened.style.top = `${frame.height + MARGIN}px`
  }
  const copy = async () => {
    const url = withPageParameters(link)
    const shown = panel("share").querySelector(".link")
    if (shown) shown.textContent = url
    const frame = panel("share").querySelector(".embed .frame-line")
    const embedded = `${url}&embed=true`.replaceAll("&", "&amp;")
    if (frame) frame.textContent = frame.textContent.replace(/src="[^"]*"/, () => `src="${embedded}"`)
    const isCopied = await write(url)
    bar.dataset.copied = isCopied
    if (!isCopied) return
    share.lastElementChild.textContent = "Copied"
    clearTimeout(timer)
    timer = setTimeout(() => (share.lastElementChild.textContent = "Share"), COPIED_MILLISECONDS)
  }

  for (const button of buttons) {
    button.addEventListener("click", () => {
      const name = button.dataset.panel
      open(bar.dataset.open === name ? "" : name)
      if (name === "share" && bar.dataset.open) copy()
    })
  }
  root.querySelector("[data-random]").addEventListener("click", () => askForRandom())
  const leave = new AbortController()
  const listen = (event, react) =>
    document.addEventListener(
      event,
      (happened) => (root.isConnected ? react(happened) : leave.abort()),
      { capture: true, signal: leave.signal },
    )
  listen("pointerdown", ({ target }) => {
    const name = bar.dataset.open
    const isInside = panel(name)?.contains(target) || target.closest?.(`[data-panel], ${ABOVE}`)
    if (name && !isInside) open("")
  })
  listen("click", ({ target }) => {
    // They open a dialog above the page.
    if (target.closest?.(".st-key-browse_samples, .st-key-browse_methods")) open("")
  })
  listen("keydown", ({ key }) => {
    const name = bar.dataset.open
    if (key !== "Escape" || !name || document.querySelector(LIST)) return
    open("")
    buttons.find((button) => button.dataset.panel === name).focus()
  })

  if (bar.dataset.open) open(bar.dataset.open)

  return {
    show(data, random) {
      askForRandom = random
      link = { url: data.link, keys: data.keys }
      // The style sheet shows them from now on.
      for (const button of root.querySelectorAll("button.empty")) button.className = "filled"
      for (const button of buttons) {
        const chosen = data[button.dataset.panel]
        if (chosen === undefined || chosen === button.title) continue
        // The parameter stands beside it on a phone, where there is no room for both.
        const [title, ...parameters] = chosen.split(PARAMETER)
        const parameter = document.createElement("span")
        parameter.className = "parameter"
        parameter.textContent = parameters.map((text) => PARAMETER + text).join("")
        button.querySelector(".chosen").replaceChildren(title, parameter)
        button.title = chosen
      }
      const dice = root.querySelector("[data-random]")
      if (dice.title !== data.random) dice.title = data.random
      if (facts.textContent !== data.facts) facts.textContent = data.facts
    },
  }
}

/* What a page's own widgets put into the address comes from there: a script that they run still has
   the address of before. */
function withPageParameters({ url, keys }) {
  const [base, query] = url.split("?")
  const isOfBar = (pair) => keys.includes(decodeURIComponent(pair.split("=")[0]))
  const ofPage = location.search.slice(1).split("&").filter((pair) => pair && !isOfBar(pair))
  return `${base}?${[...query.split("&").filter(isOfBar), ...ofPage].join("&")}`
}

async function write(text) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // Browsers have no clipboard for pages that came over plain HTTP from another computer.
    return writeSelected(text)
  }
}

function writeSelected(text) {
  const field = document.createElement("textarea")
  field.value = text
  document.body.append(field)
  field.select()
  const isCopied = document.execCommand("copy")
  field.remove()
  return isCopied
}
