import Foundation

/// Runs what the arguments ask for: `list` names all rows with their variants,
/// what these need and what they use; `ID VARIANT [COUNT]`
/// runs that one so many times with fresh objects and says in how many of them the two sides
/// overlapped. Returns the exit status.
@MainActor package func runMatrix(_ arguments: [String]) async -> Int32 {
  guard arguments.count > 1, arguments[0] != "list" else {
    for pattern in patterns {
      let variants = pattern.variants.map(\.rawValue).joined(separator: ",")
      print(pattern.id, variants, pattern.need.rawValue, pattern.uses, separator: "\t")
    }
    return 0
  }
  guard let pattern = patterns.first(where: { $0.id == arguments[0] }),
    let variant = Variant(rawValue: arguments[1]), pattern.variants.contains(variant)
  else {
    print("no such row or variant; `list` names them")
    return 2
  }
  let count = arguments.count > 2 ? Int(arguments[2]) ?? 1 : 1
  var overlapped = 0
  for _ in 0..<count {
    let trial = Trial(variant)
    await pattern.run(trial)
    if trial.hasOverlapped { overlapped += 1 }
  }
  print("overlapped \(overlapped) of \(count)")
  return 0
}
