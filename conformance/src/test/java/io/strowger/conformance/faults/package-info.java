/**
 * The fault matrix: everything an upstream can do wrong, in each dialect, as each front tells it.
 * Start reading at {@link io.strowger.conformance.faults.Faults}, which is the table.
 */
@NullMarked
package io.strowger.conformance.faults;

import org.jspecify.annotations.NullMarked;
