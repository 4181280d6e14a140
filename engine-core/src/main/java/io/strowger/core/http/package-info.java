/**
 * What answers each path of the HTTP surface. Start reading at {@link
 * io.strowger.core.http.HttpApi}; hosts see it as {@link io.strowger.core.wire.WireApi}.
 */
@NullMarked
package io.strowger.core.http;

import org.jspecify.annotations.NullMarked;
