/** The tool {@code router:tool_search}: lets a model find the tools that are deferred. */
@NullMarked
package io.strowger.plugins.toolsearch;

import org.jspecify.annotations.NullMarked;
