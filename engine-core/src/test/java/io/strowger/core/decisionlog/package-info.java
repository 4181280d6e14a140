/** Tests of the record of decisions. {@code LogWords} are the words they are written in. */
@NullMarked
package io.strowger.core.decisionlog;

import org.jspecify.annotations.NullMarked;
