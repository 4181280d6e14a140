/**
 * The plugin file-parser: turns documents into text for models that read none. Start reading at
 * {@link io.strowger.plugins.fileparser.FileParserProvider}.
 */
@NullMarked
package io.strowger.plugins.fileparser;

import org.jspecify.annotations.NullMarked;
