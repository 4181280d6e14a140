/** The tool {@code router:tool_search}: a model finds the tools it is not told of at once. */
@NullMarked
package io.strowger.plugins.toolsearch;

import org.jspecify.annotations.NullMarked;
