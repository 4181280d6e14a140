/**
 * The gateway as a library: the typed front door. Everything public here and in {@code
 * core.client}, {@code core.wire} and {@code core.config} is API; the other packages are the rooms
 * behind it. Start reading at {@link io.strowger.core.Gateway}.
 */
@NullMarked
package io.strowger.core;

import org.jspecify.annotations.NullMarked;
