/**
 * Fuzz targets: the reader of JSON and each decoder against whatever bytes come, with the laws that
 * hold for all of them. Start reading at {@link io.strowger.conformance.fuzz.Target}; CONTRIBUTING
 * says how to run them for long.
 */
@NullMarked
package io.strowger.conformance.fuzz;

import org.jspecify.annotations.NullMarked;
