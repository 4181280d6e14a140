/**
 * What an author of an upstream dialect writes against: the call, the stream it answers with,
 * cancelling, and the kinds of failure. Start reading at {@link
 * io.strowger.spi.provider.ChatProvider}.
 */
@NullMarked
package io.strowger.spi.provider;

import org.jspecify.annotations.NullMarked;
