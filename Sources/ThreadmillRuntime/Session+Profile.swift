#if os(Linux)
  import CThreadmillGate
  import ThreadmillModel

  extension Session {
    /// What was measured so far, with its symbols; `nil` if nobody asked for it. Called inside
    /// `Gate.delivering`.
    package static var profile: ContentionProfile? {
      guard let session = current, session.profiles else { return nil }
      var classes: [ContentionProfile.LockClass] = []
      withUnsafeMutablePointer(to: &classes) { list in
        tm_profile_each(
          { profile, list in
            guard let profile = profile?.pointee else { return }
            list?.assumingMemoryBound(to: [ContentionProfile.LockClass].self).pointee
              .append(profile.value)
          }, list)
      }
      if let named = session.symbolicator?.symbolicated(classes) { classes = named }
      return ContentionProfile(classes: classes.filter { $0.acquisitions > 0 })
    }
  }

  extension tm_lock_profile {
    fileprivate var value: ContentionProfile.LockClass {
      ContentionProfile.LockClass(
        kind: SharedObject.Kind(kind), mode: mode == TM_SHARED ? .shared : .exclusive,
        label: label.map { String(cString: $0) },
        place: Backtrace(place.addresses, count: place.count), isFirstUse: is_first_use,
        acquisitions: Int(acquisitions), contended: Int(contended), wait: wait.value,
        hold: hold.value,
        longestHolder: Backtrace(longest_holder.addresses, count: longest_holder.count))
    }
  }

  extension tm_durations {
    fileprivate var value: DurationHistogram {
      let counts = withUnsafeBytes(of: buckets) { $0.bindMemory(to: UInt64.self).map { Int($0) } }
      return DurationHistogram(counts: counts, total: Int(total), longest: Int(longest))
    }
  }
#endif
