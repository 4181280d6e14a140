/**
 * What callers keep at the gateway - keys, destinations, presets - as values that can only hold
 * what the contract allows. Knows nothing but the SPI, so that decoding, storing and serving them
 * can all share it; start reading at {@link io.strowger.core.resource.KeyCreate}.
 */
@NullMarked
package io.strowger.core.resource;

import org.jspecify.annotations.NullMarked;
