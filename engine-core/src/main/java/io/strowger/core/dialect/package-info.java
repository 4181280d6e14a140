/**
 * The code that all dialects of callers share: tools, plugins and provider preferences of requests;
 * frames, errors and metadata of answers. Each dialect has its own subpackage. Start reading at
 * {@link io.strowger.core.dialect.AnswerFormat}.
 */
@NullMarked
package io.strowger.core.dialect;

import org.jspecify.annotations.NullMarked;
