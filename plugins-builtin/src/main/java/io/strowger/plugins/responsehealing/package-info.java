/**
 * The plugin response-healing: repairs the syntax of JSON answers. Start reading at {@link
 * io.strowger.plugins.responsehealing.ResponseHealingProvider}.
 */
@NullMarked
package io.strowger.plugins.responsehealing;

import org.jspecify.annotations.NullMarked;
