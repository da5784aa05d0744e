#if os(Linux)
  import CThreadmillGate
  import Dispatch

  /// The gate's record of something that belongs to one queue or one actor; it ends with this
  /// object.
  ///
  /// Unchecked: the record is filled in by `init` and only read after that.
  package final class ConfinementWatch: @unchecked Sendable {
    private let record: UnsafeMutablePointer<tm_confinement>
    /// Its address is in the record.
    private let queue: DispatchQueue?

    private init(queue: DispatchQueue?) {
      record = .allocate(capacity: 1)
      record.initialize(to: tm_confinement())
      self.queue = queue
    }

    /// `nil` if nobody watches, or if it is a global queue, which is nobody's place.
    package convenience init?(of name: String, to queue: DispatchQueue) {
      guard tm_is_active(), let inner = queue.inner else { return nil }
      self.init(queue: queue)
      tm_confine_to_queue(record, name, UnsafeRawPointer(inner))
      guard record.pointee.place != nil else { return nil }
    }

    /// `nil` if nobody watches, or if the actor runs its code by means of its own, of which only
    /// its author knows what is where.
    ///
    /// The actor is not kept alive: it may well own what is confined to it.
    @available(macOS 10.15, iOS 13, tvOS 13, watchOS 6, *)
    package convenience init?(of name: String, to actor: some Actor) {
      guard tm_is_active() else { return nil }
      let executor = actor.unownedExecutor
      if executor.identity == MainActor.sharedUnownedExecutor.identity {
        self.init(of: name, to: DispatchQueue.main)
        return
      }
      let identity = Unmanaged.passUnretained(actor).toOpaque()
      guard executor.identity == UInt(bitPattern: identity) else { return nil }
      self.init(queue: nil)
      tm_confine_to_actor(record, name, identity, "\(type(of: actor))")
      guard record.pointee.place != nil else { return nil }
    }

    deinit {
      tm_confinement_end(record)
      record.deallocate()
    }

    /// A finding, if the calling code certainly runs elsewhere.
    package func check() { tm_confinement_check(record) }
  }

  extension UnownedSerialExecutor {
    /// The first of the two words of a serial executor: the object that it is. A default actor is
    /// its own executor.
    fileprivate var identity: UInt { unsafeBitCast(self, to: (UInt, UInt).self).0 }
  }

  extension DispatchQueue {
    /// libdispatch's queue, which the Swift object wraps; the overlay gives it to nobody, but its
    /// only stored property is there to be seen.
    fileprivate var inner: OpaquePointer? {
      Mirror(reflecting: self).children.lazy.compactMap { $0.value as? OpaquePointer }.first
    }
  }
#endif
