/**
 * The plugin web: searches once and puts what it found before the model. Start reading at {@link
 * io.strowger.plugins.web.WebProvider}.
 */
@NullMarked
package io.strowger.plugins.web;

import org.jspecify.annotations.NullMarked;
