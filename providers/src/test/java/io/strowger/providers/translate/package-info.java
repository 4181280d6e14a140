/**
 * Tests of what all translations share: conversations as turns, names, documents and losses. None
 * of them depends on the dialect that is written.
 */
@NullMarked
package io.strowger.providers.translate;

import org.jspecify.annotations.NullMarked;
