/**
 * Determines what kind of task a request is, by its words. Start reading at {@link
 * io.strowger.plugins.tasks.WordClassifier}.
 */
@NullMarked
package io.strowger.plugins.tasks;

import org.jspecify.annotations.NullMarked;
