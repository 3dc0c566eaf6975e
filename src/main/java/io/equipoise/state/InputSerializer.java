package io.equipoise.state;

import io.equipoise.event.Input;
import io.equipoise.layout.LayoutReader;
import io.equipoise.layout.LayoutWriter;
import java.io.IOException;

/** Serializes an input between operators: the version (u8) and {@link InputLayout}. */
public final class InputSerializer extends StreamSerializer<Input> {
  private static final long serialVersionUID = 1L;

  @Override
  protected void write(Input input, LayoutWriter out) throws IOException {
    InputLayout.write(input, out);
  }

  @Override
  protected Input read(byte version, LayoutReader in) throws IOException {
    return InputLayout.read(in);
  }

  /** Writes an input as a part of another stream value. */
  public void writePart(Input input, LayoutWriter out) throws IOException {
    InputLayout.write(input, out);
  }

  /** Reads the output of {@link #writePart}. */
  public Input readPart(LayoutReader in) throws IOException {
    return InputLayout.read(in);
  }
}
