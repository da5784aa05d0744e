import Synchronization

// This program needs the library of `Mutex`, and has no mutex.
let count = Atomic(0)
count.add(1, ordering: .relaxed)
print(count.load(ordering: .relaxed))
