#if os(Linux)
  import CThreadmillGate
  import ThreadmillModel

  extension Finding {
    /// Whether it is about nothing but what libraries made for themselves.
    ///
    /// Such a cycle may be true, but it is not the user's to repair. One lock of the user's in it,
    /// and it is. Needs symbols.
    var isLibraryBusiness: Bool {
      guard kind == .lockOrderCycle else { return false }
      let locks = Set(participants.compactMap(\.wants))
      return objects.filter { locks.contains($0.id) }.allSatisfy(\.isMadeByLibrary)
    }
  }

  extension Finding {
    /// The same, as a note if an inversion is about nothing but what test libraries or Foundation
    /// made for themselves: it happened, and the user cannot repair it.
    var graded: Finding {
      guard kind == .priorityInversion else { return self }
      let wanted = Set(participants.compactMap(\.wants))
      let locks = objects.filter { wanted.contains($0.id) }
      guard !locks.isEmpty, locks.allSatisfy(\.isInnerOfLibrary) else { return self }
      var note = self
      note.severity = .note
      return note
    }
  }

  extension SharedObject {
    /// Whether a test library made it, or a library that no code of the user's had called.
    fileprivate var isInnerOfLibrary: Bool {
      guard let maker = created.first(where: { !$0.isMaker }), maker.isLibraryCode else {
        return false
      }
      return ["libXCTest.so", "libTesting.so"].contains(maker.image)
        || created.allSatisfy(\.isLibraryCode)
    }

    /// Whether the code that asked for it is a library's; what was made by no call is the user's.
    fileprivate var isMadeByLibrary: Bool {
      kind == .taskStatusLock || created.first { !$0.isMaker }?.isLibraryCode ?? false
    }
  }

  extension Frame {
    fileprivate var isLibraryCode: Bool { tm_is_system_code(UInt(address)) }

    /// Code that makes a lock or queue for whoever calls it.
    ///
    /// The compiler's thunks on the way there, in whatever image, count as such.
    fileprivate var isMaker: Bool {
      guard isLibraryCode else { return isSystem }
      guard let function else { return false }
      if image == "libswiftDispatch.so" { return true }
      let makers = ["NSLock.", "NSRecursiveLock.", "NSCondition.", "NSConditionLock."]
      return makers.contains { function.contains($0) && function.contains("init") }
    }
  }
#endif
