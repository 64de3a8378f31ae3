/* While the slider of the main parameter moves, the answer beside the chapters follows. */
const KNOB = ".st-key-bar_knob"
const INPUT = `${KNOB} input[type=range]`

export default function ({ parentElement, data }) {
  const node = parentElement.querySelector(".preview")
  const knob = document.querySelector(KNOB)
  node.stop?.()
  endPreview()
  markFlips(knob, data)
  // The marks are those of the component that came last: an earlier one may end after it began.
  knob.marksOwner = node
  // The input may not be drawn yet.
  const observer = new MutationObserver((changes) => {
    if (changes.some((change) => change.type === "childList")) markFlips(knob, data)
    else follow(data)
  })
  observer.observe(knob, { subtree: true, childList: true, attributeFilter: ["value"] })
  node.stop = () => {
    observer.disconnect()
    if (knob.marksOwner === node) knob.style.removeProperty("--flips")
  }
  return () => {
    node.stop()
    endPreview()
  }
}

function follow({ inputs, index, state_of_value, rankings }) {
  const at = Number(document.querySelector(INPUT)?.value)
  // Where not all values were tried, the nearest one stands for those beside it.
  const distances = inputs.map((input) => Math.abs(input - at))
  const nearest = distances.indexOf(Math.min(...distances))
  if (nearest === index) endPreview()
  else previewRanking(rankings[state_of_value[nearest]])
}

function markFlips(knob, { inputs, flips }) {
  const { min, max } = document.querySelector(INPUT) ?? {}
  const span = max - min
  if (!span) return
  const marks = flips.map((flip) => {
    const share = (100 * (inputs[flip] - min)) / span
    return `linear-gradient(currentColor, currentColor) ${share}% 0 / 2px 100% no-repeat`
  })
  knob.style.setProperty("--flips", marks.join(", ") || "none")
}
