/**
 * The server tool {@code router:datetime}: tells a model what time it is. Start reading at {@link
 * io.strowger.plugins.datetime.DatetimeTool}.
 */
@NullMarked
package io.strowger.plugins.datetime;

import org.jspecify.annotations.NullMarked;
