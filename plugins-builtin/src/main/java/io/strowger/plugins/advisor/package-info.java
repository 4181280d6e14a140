/**
 * The server tools {@code router:advisor} and {@code router:subagent}: other models that a model
 * asks for advice, or hands a task to. Start reading at {@link
 * io.strowger.plugins.advisor.ModelCallingTool}.
 */
@NullMarked
package io.strowger.plugins.advisor;

import org.jspecify.annotations.NullMarked;
