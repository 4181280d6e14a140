/**
 * The loop in which the gateway runs tools for a model: offers them as functions, runs what the
 * model calls, gives it the results and asks again, until it answers or a stop condition is met.
 * Start reading at {@link io.strowger.core.tools.ToolLoop}; the tools themselves are plugins.
 */
@NullMarked
package io.strowger.core.tools;

import org.jspecify.annotations.NullMarked;
