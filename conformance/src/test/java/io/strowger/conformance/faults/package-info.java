/**
 * The fault matrix: each way in which an upstream can fail, in each dialect, and the error that the
 * caller gets in each API. Start reading at {@link io.strowger.conformance.faults.Faults}, which is
 * the table.
 */
@NullMarked
package io.strowger.conformance.faults;

import org.jspecify.annotations.NullMarked;
