/* The function that a block runs. */
#ifndef TM_BLOCK_FUNCTION_H
#define TM_BLOCK_FUNCTION_H

/* Returns the function of a Swift closure if the block's layout is that of one, else the block's
 * own function. */
const void *tm_block_function(const void *block);
#endif
