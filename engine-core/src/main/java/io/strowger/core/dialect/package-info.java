/**
 * What all dialects of callers share: tools, plugins and provider preferences on the way in,
 * frames, errors and metadata on the way out. Each dialect has a package of its own below. Start
 * reading at {@link io.strowger.core.dialect.AnswerFormat}.
 */
@NullMarked
package io.strowger.core.dialect;

import org.jspecify.annotations.NullMarked;
