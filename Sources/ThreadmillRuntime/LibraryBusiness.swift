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

  extension SharedObject {
    /// Whether the code that asked for it is a library's; what was made by no call is the user's.
    fileprivate var isMadeByLibrary: Bool {
      if let variable { return variable.isSystem }
      return kind == .taskStatusLock || created.first { !$0.isMaker }?.isLibraryCode ?? false
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
