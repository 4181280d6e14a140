/** Tests of the decision log. {@code TestLogs} creates and reads logs for them. */
@NullMarked
package io.strowger.core.decisionlog;

import org.jspecify.annotations.NullMarked;
