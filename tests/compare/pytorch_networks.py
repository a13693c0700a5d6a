"""Small PyTorch networks with what makes it hard to say which value of the ONNX model a module's is."""

import torch
from torch import nn


class Residual(nn.Module):
    """Convolutions that BatchNorm is folded into, and one ReLU that is called twice."""

    def __init__(self, inplace=False):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(4, 4, 3, padding=1, bias=False), nn.BatchNorm2d(4)
        self.conv2, self.bn2 = nn.Conv2d(4, 4, 3, padding=1, bias=False), nn.BatchNorm2d(4)
        self.relu = nn.ReLU(inplace=inplace)

    def forward(self, x):
        y = self.relu(self.bn1(self.conv1(x)))
        return self.relu(self.bn2(self.conv2(y)) + x)


class ResNet(nn.Module):
    """Nested Sequential; a ReLU before a BatchNorm, which can't be folded; what comes last has no module."""

    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(inplace=True))
        self.layers = nn.Sequential(Residual(), nn.Sequential(Residual(inplace=True), Residual()))
        self.before = nn.Sequential(nn.BatchNorm2d(4), nn.ReLU(), nn.Conv2d(4, 4, 1))
        self.pool, self.fc = nn.AdaptiveAvgPool2d(1), nn.Linear(4, 5)

    def forward(self, x):
        x = self.layers(self.stem(x))
        x = x + self.before(x)
        return self.fc(torch.flatten(self.pool(x), 1)).softmax(-1)


class Attention(nn.Module):
    def __init__(self, width=16, heads=2):
        super().__init__()
        self.heads, self.qkv, self.proj = heads, nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x):
        b, n, c = x.shape
        q, k, v = self.qkv(x).reshape(b, n, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4).unbind(0)
        a = (q @ k.transpose(-2, -1) * (c // self.heads) ** -0.5).softmax(-1)
        return self.proj((a @ v).transpose(1, 2).reshape(b, n, c))


class Block(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.norm1, self.attn, self.norm2 = nn.LayerNorm(width), Attention(width), nn.LayerNorm(width)
        self.mlp = nn.Sequential(nn.Linear(width, 32), nn.GELU(), nn.Dropout(0.1), nn.Linear(32, width))

    def forward(self, x):
        x = x + self.attn(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class Transformer(nn.Module):
    """Two blocks, one of them twice over, and PyTorch's own encoder layer."""

    def __init__(self):
        super().__init__()
        self.embed, self.blocks = nn.Embedding(11, 16), nn.ModuleList([Block(), Block()])
        self.encoder = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)
        self.head = nn.Linear(16, 11)

    def forward(self, ids):
        x = self.embed(ids)
        for block in (self.blocks[0], self.blocks[1], self.blocks[1]):
            x = block(x)
        return self.head(self.encoder(x))


class Recurrent(nn.Module):
    """Modules that return tuples; some of it nobody reads."""

    def __init__(self):
        super().__init__()
        self.lstm, self.gru = nn.LSTM(6, 8, num_layers=2, batch_first=True), nn.GRU(8, 8, batch_first=True)
        self.fc = nn.Linear(8, 3)

    def forward(self, x):
        y, (h, c) = self.lstm(x)
        z, _ = self.gru(torch.tanh(y))
        return self.fc(z[:, -1]), h, c


class Twice(nn.Module):
    """A module that is called one after the other, and under two names; functions called as modules are."""

    def __init__(self):
        super().__init__()
        self.fc, self.relu, self.out = nn.Linear(6, 6), nn.ReLU(), nn.Linear(6, 2)
        self.again = self.fc

    def forward(self, x):
        y = self.relu(self.fc(torch.relu(x)))
        y = self.fc(self.fc(torch.relu(y - 0.1)))
        return self.out(self.again(y) + x)


class Swapped(nn.Module):
    """Returns two values of one shape, the later one first."""

    def __init__(self):
        super().__init__()
        self.left, self.right = nn.Linear(6, 4), nn.Linear(6, 4)

    def forward(self, x):
        left = torch.tanh(self.left(x))
        return {"right": torch.sigmoid(self.right(x)), "left": left}


class Tuples(nn.Module):
    def __init__(self):
        super().__init__()
        self.swapped = Swapped()
        self.inner = nn.Sequential(nn.Sequential(nn.Linear(4, 4), nn.ReLU()),
                                   nn.Sequential(nn.Linear(4, 4), nn.Identity()))

    def forward(self, x):
        both = self.swapped(x)
        return self.inner(both["right"] * 2) * both["left"]


def networks():
    """name -> (model, arguments)"""
    torch.manual_seed(1)
    made = {"resnet": (ResNet(), torch.randn(2, 3, 8, 8)),
            "transformer": (Transformer(), torch.randint(0, 11, (2, 7))),
            "recurrent": (Recurrent(), torch.randn(2, 5, 6)),
            "twice": (Twice(), torch.randn(3, 6)),
            "tuples": (Tuples(), torch.randn(3, 6))}
    try:
        from torchvision import models
        made["resnet18"] = (models.resnet18(), torch.randn(1, 3, 64, 64))
        made["mobilenet"] = (models.mobilenet_v3_small(), torch.randn(1, 3, 64, 64))
        made["vit"] = (models.VisionTransformer(32, 8, 2, 2, 16, 32), torch.randn(1, 3, 32, 32))
    except ImportError:
        pass
    for model, _ in made.values():
        for module in model.modules():
            if isinstance(module, nn.BatchNorm2d):  # as after training: folding it changes something
                module.running_mean.normal_(0, 0.2)
                module.running_var.uniform_(0.5, 2)
                nn.init.uniform_(module.weight, 0.5, 1.5)
                nn.init.normal_(module.bias, 0, 0.3)
        model.eval()
    return {name: (model, (x,)) for name, (model, x) in made.items()}
