/* One step of a lesson at a time; a guess first, then the answer. The address keeps the step. */
const data = JSON.parse(document.getElementById("lesson").textContent)
const steps = [...document.querySelectorAll(".step")]
const dots = [...document.querySelectorAll(".dots-of-steps a")]
const [back, on] = [".back", ".on"].map((name) => document.querySelector(name))
const inApp = document.querySelector(".in-app")
const guesses = data.steps.map(() => null)
const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches
let at = 0
let isAnswered = false

const hasAnswer = (i) => data.steps[i] && !data.steps[i].isKept

function verdict(i) {
  const [question, guess] = [data.steps[i], guesses[i]]
  if (guess === null || guess.length === 0) return ""
  if (question.verdicts) return question.verdicts[guess]
  if (question.kind === "order") {
    const places = guess.map((label) => question.positions[label])
    const pairs = places.flatMap((a, j) => places.slice(j + 1).map((b) => a > b))
    const wrong = pairs.filter(Boolean).length
    if (pairs.length === 0) return ""
    if (wrong === 0) return "You and the method agree."
    const of = pairs.length === 1 ? "1 pair" : `${pairs.length} pairs`
    return `${wrong} of ${of} ${wrong === 1 ? "is" : "are"} the other way round.`
  }
  const picked = guess.filter((option) => option < question.options.length - 1)
  const nFound = picked.filter((option) => question.right.includes(option)).length
  const nExtra = picked.length - nFound
  if (nExtra === 0 && nFound === question.right.length) return "Right."
  return `${nFound} of ${question.right.length} found${nExtra ? `, ${nExtra} too many` : ""}.`
}

function addGuess(i) {
  const question = data.steps[i]
  const slot = steps[i].querySelector(".guess")
  if (!slot) return
  if (question.kind === "number") {
    const label = document.createElement("label")
    const input = Object.assign(document.createElement("input"), { type: "range", min: 0, max: question.options.length - 1 })
    input.setAttribute("aria-label", "Your guess")
    // Nothing is guessed to begin with: a number there would be a hint.
    const output = Object.assign(document.createElement("output"), { textContent: "?" })
    input.addEventListener("input", () => {
      guesses[i] = [Number(input.value)]
      output.textContent = question.options[input.value]
      input.setAttribute("aria-valuetext", output.textContent)
    })
    label.append(input, output)
    slot.append(label)
    return
  }
  const buttons = question.options.map((option, j) => {
    const button = Object.assign(document.createElement("button"), { textContent: option, type: "button" })
    button.setAttribute("aria-pressed", "false")
    button.addEventListener("click", () => {
      choose(i, j)
      const chosen = guesses[i] ?? []
      buttons.forEach((each, k) => {
        const place = chosen.indexOf(k)
        each.setAttribute("aria-pressed", place >= 0)
        each.textContent = `${question.kind === "order" && place >= 0 ? `${place + 1}. ` : ""}${question.options[k]}`
      })
    })
    return button
  })
  slot.append(...buttons)
}

// One that is right, a set of them, or labels from the first to the last.
function choose(i, option) {
  const { kind, options } = data.steps[i]
  const chosen = guesses[i] ?? []
  const last = options.length - 1
  if (kind === "one") guesses[i] = [option]
  else if (chosen.includes(option)) guesses[i] = chosen.filter((each) => each !== option)
  else if (kind === "several" && option === last) guesses[i] = [last]
  else guesses[i] = [...chosen.filter((each) => kind === "order" || each !== last), option]
}

function draw() {
  steps.forEach((step, i) => step.classList.toggle("current", i === at))
  steps[at].classList.toggle("answered", isAnswered)
  dots.forEach((dot, i) => {
    dot.classList.toggle("done", i < at)
    if (i === at) dot.setAttribute("aria-current", "step")
    else dot.removeAttribute("aria-current")
  })
  const slot = steps[at].querySelector(".verdict")
  if (slot && isAnswered) slot.textContent = verdict(at)
  const isLast = at === steps.length - 1
  const isOver = isLast && (isAnswered || !hasAnswer(at))
  document.querySelector(".end").classList.toggle("current", isOver)
  const recall = document.querySelector(".recall")
  const kept = data.steps.findIndex((question, i) => question?.isKept && verdict(i))
  if (recall && kept >= 0) {
    recall.textContent = `Your guess at the start: ${verdict(kept)}`
    recall.hidden = !isOver
  }
  back.disabled = at === 0 && !isAnswered
  on.disabled = isOver
  on.textContent = hasAnswer(at) && !isAnswered ? "Show me" : "Next →"
  inApp.firstChild.href = data.links[at]
  inApp.hidden = !data.links[at]
}

function go(step, answered) {
  at = Math.min(Math.max(step, 0), steps.length - 1)
  isAnswered = answered && Boolean(hasAnswer(at))
  const address = `#step=${at + 1}${isAnswered ? "&answer" : ""}`
  if (location.hash !== address) history.replaceState(null, "", address)
  if (document.startViewTransition && !isCalm()) document.startViewTransition(draw)
  else draw()
}

function goOn() {
  if (hasAnswer(at) && !isAnswered) go(at, true)
  else if (at < steps.length - 1) go(at + 1, false)
}

function goBack() {
  if (isAnswered) go(at, false)
  else if (at > 0) go(at - 1, true)
}

function readAddress() {
  const said = new URLSearchParams(location.hash.slice(1))
  at = Math.min(Math.max((Number(said.get("step")) || 1) - 1, 0), steps.length - 1)
  isAnswered = said.has("answer") && Boolean(hasAnswer(at))
  draw()
}

document.querySelector(".steps").classList.add("live")
for (const part of document.querySelectorAll(".dots-of-steps, .moves")) part.hidden = false
data.steps.forEach((question, i) => question && addGuess(i))
on.addEventListener("click", goOn)
back.addEventListener("click", goBack)
addEventListener("keydown", (event) => {
  if (event.target.closest("input") || event.altKey || event.ctrlKey || event.metaKey) return
  if (event.key === "ArrowRight") goOn()
  if (event.key === "ArrowLeft") goBack()
})
addEventListener("hashchange", readAddress)
readAddress()
