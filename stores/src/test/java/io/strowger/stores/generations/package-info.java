/** The contract of generations, on both databases. */
@NullMarked
package io.strowger.stores.generations;

import org.jspecify.annotations.NullMarked;
