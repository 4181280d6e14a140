/**
 * Spring AI's chat model over a gateway in the same process. Start reading at {@link
 * io.strowger.springai.StrowgerChatModel}.
 */
@NullMarked
package io.strowger.springai;

import org.jspecify.annotations.NullMarked;
