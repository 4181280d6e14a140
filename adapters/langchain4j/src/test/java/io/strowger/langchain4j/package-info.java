/** Tests of LangChain4j's chat models over a gateway. */
@NullMarked
package io.strowger.langchain4j;

import org.jspecify.annotations.NullMarked;
