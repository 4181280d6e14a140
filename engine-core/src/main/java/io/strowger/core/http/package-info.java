/**
 * The handlers of every path of the HTTP API. Start reading at {@link
 * io.strowger.core.http.HttpApi}; hosts see it as {@link io.strowger.core.wire.WireApi}.
 */
@NullMarked
package io.strowger.core.http;

import org.jspecify.annotations.NullMarked;
