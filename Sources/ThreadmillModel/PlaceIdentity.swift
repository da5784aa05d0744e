/// What tells apart classes of locks, in another process too: words, and the innermost frames of
/// the user's, as many as tell apart the callers of a helper that makes locks, and leave out the
/// test.
package struct PlaceIdentity: Hashable, Comparable, Sendable {
  private let words: [String]

  init(_ words: [String], _ place: Backtrace) {
    let own = place.filter { !$0.isSystem }
    let frames = (own.isEmpty ? place : own).prefix(Finding.fingerprintFrames)
    self.words =
      words
      + frames.map { frame in
        // In this process an address is as good.
        frame.isBare
          ? String(frame.address, radix: 16)
          : "\(frame.name) \(frame.offset ?? 0) \(frame.file ?? "") \(frame.line ?? 0)"
      }
  }

  package static func < (a: PlaceIdentity, b: PlaceIdentity) -> Bool {
    a.words.lexicographicallyPrecedes(b.words)
  }
}
