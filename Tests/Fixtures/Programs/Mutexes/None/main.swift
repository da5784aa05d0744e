import Synchronization

// It needs the library of `Mutex`, and has none.
let count = Atomic(0)
count.add(1, ordering: .relaxed)
print(count.load(ordering: .relaxed))
