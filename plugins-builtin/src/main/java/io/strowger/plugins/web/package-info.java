/**
 * The plugin web: searches once and gives the results to the model. Start reading at {@link
 * io.strowger.plugins.web.WebProvider}.
 */
@NullMarked
package io.strowger.plugins.web;

import org.jspecify.annotations.NullMarked;
