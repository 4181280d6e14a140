/**
 * Fuzz targets: the JSON reader and each decoder are given any bytes, and must keep the laws that
 * hold for all inputs. Start reading at {@link io.strowger.conformance.fuzz.Target}; CONTRIBUTING
 * says how to run them for long.
 */
@NullMarked
package io.strowger.conformance.fuzz;

import org.jspecify.annotations.NullMarked;
