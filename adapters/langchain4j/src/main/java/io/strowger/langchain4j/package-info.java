/**
 * LangChain4j's chat models over a gateway in the same process. Start reading at {@link
 * io.strowger.langchain4j.StrowgerChatModel}.
 */
@NullMarked
package io.strowger.langchain4j;

import org.jspecify.annotations.NullMarked;
