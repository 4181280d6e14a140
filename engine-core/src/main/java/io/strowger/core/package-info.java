/**
 * The gateway as a library: its typed entry point. Everything public here and in {@code
 * core.client}, {@code core.wire} and {@code core.config} is API; all other packages are internal.
 * Start reading at {@link io.strowger.core.Gateway}.
 */
@NullMarked
package io.strowger.core;

import org.jspecify.annotations.NullMarked;
