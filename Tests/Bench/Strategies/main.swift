// Measures how soon each strategy finds a mistake, and its cost: see
// `scripts/campaigns/strategies`.
//
// Exit status: 0 within the limits; 1 beyond one.
import Foundation

var isWell = FirstHits.printTable()
print()
if !Costs.printTable() { isWell = false }
exit(isWell ? 0 : 1)
