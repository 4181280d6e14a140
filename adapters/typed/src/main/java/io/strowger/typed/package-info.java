/**
 * Answers and tools of a chat request as records: the schema is made of the class, and what the
 * model writes is read as the class. Start reading at {@link io.strowger.typed.Records}.
 */
@NullMarked
package io.strowger.typed;

import org.jspecify.annotations.NullMarked;
