/**
 * The model {@code router/bodybuilder}: turns a text into requests for models. Start reading at
 * {@link io.strowger.plugins.bodybuilder.BodyBuilderProvider}.
 */
@NullMarked
package io.strowger.plugins.bodybuilder;

import org.jspecify.annotations.NullMarked;
